import { browserFamilyOf } from '../../../src/link-routing/visitor/browser-family';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/120.0.0.0`;
const android = `Mozilla/5.0 (Linux; Android 13; SM-A1) ${webKit} Version/4.0 Chrome/115.0.5790.168 Mobile`;
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Amazon Silk', `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${webKit} Silk/120.4.1 like Chrome/120.0 Safari/537.36`],
  [
    'Android Browser',
    'Mozilla/5.0 (Linux; U; Android 4.0.3; en-us; GT-P5100) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
  ],
  ['Chrome', `${windows} Safari/537.36`],
  ['Chrome', `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Ubuntu Chromium/80.0 Chrome/80.0 Safari/537.36`],
  ['DuckDuckGo', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/17.0 Safari/605.1.15 Ddg/17.0`],
  ['DuckDuckGo', `${iphone} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  ['DuckDuckGo', `${android} DuckDuckGo/5 Safari/537.36`],
  ['Edge', `${windows} Safari/537.36 Edg/120.0`],
  ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; rv:120.0) Gecko/20100101 Firefox/120.0'],
  ['Firefox', `${iphone} Focus/8.1 Mobile/15E148`],
  ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; rv:120.0) Gecko/20100101 Firefox/120.0 LibreWolf/120.0'],
  ['Google app', `${iphone} GSA/317.0.634488990 Mobile/15E148 Safari/604.1`],
  ['HeyTap', `${android} Safari/537.36 HeyTapBrowser/45.10.5.1.1`],
  ['Internet Explorer', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  ['Mi Browser', `${android} Safari/537.36 XiaoMi/MiuiBrowser/13.30`],
  ['Opera', `${windows} Safari/537.36 OPR/105.0.0.0`],
  ['Opera', `${iphone} Coast/5.04.110603 Mobile/13B143 Safari/7534.48.3`],
  ['Opera', `${iphone} Version/17 OPT/4.5 Mobile/15E148 Safari/604.1`],
  ['Puffin', `${android} Safari/537.36 Puffin/9.10.0.51563AP`],
  ['QQ Browser', `${android} MQQBrowser/14.5 Safari/537.36`],
  ['QQ Browser', `${windows} Safari/537.36 Core/1.63 QQBrowserLite/9.5`],
  ['Safari', `${iphone} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['Samsung Internet', `${android} SamsungBrowser/23.0 Safari/537.36`],
  ['UC Browser', `${android} UCBrowser/13.5.0.1311 Safari/537.36`],
  ['Vivaldi', `${windows} Safari/537.36 Vivaldi/6.5`],
  ['Vivo Browser', `${android} VivoBrowser/14.0 Safari/537.36`],
  ['WeChat', `${android} Safari/537.36 MicroMessenger/8.0.43`],
  ['Whale', `${windows} Whale/3.24.223.18 Safari/537.36`],
  ['Yandex Browser', `${windows} YaBrowser/24.1.0 Yowser/2.5 Safari/537.36`],
  [null, ''],
  [null, 'x'],
  [null, 'MyBrowser/1.0'],
])('the browser family is %p for %s', (family, userAgent) => {
  expect(browserFamilyOf(userAgent)).toBe(family);
});
