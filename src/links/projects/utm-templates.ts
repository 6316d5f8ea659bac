import { listOf } from '../../shared/rule';
import { text } from '../../shared/text';

/** A name and the UTM values of a campaign, as a query. One text, so that lists, files and commands treat it like other lists. */
export const utmTemplate = text({
  min: 1,
  max: 500,
  pattern: /^[^?\u0000-\u001f\u007f]{1,60}\?[^?#\s]+$/,
  patternSays: 'be a name, a question mark and parameters, such as Newsletter?utm_source=newsletter&utm_medium=email',
});

export const utmTemplates = listOf(utmTemplate, { maxItems: 50 });
