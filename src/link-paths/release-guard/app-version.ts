import { text } from '../../shared/text';

/** Accepts versions as stores and `app.json` have them. A comma separates them in `acknowledge`. */
export const appVersion = text({
  min: 1,
  max: 50,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._+()-]*$/,
  patternSays: 'begin with a letter or digit, and consist of letters, digits and . _ + ( ) -',
});
