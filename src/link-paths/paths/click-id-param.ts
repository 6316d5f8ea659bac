import { text } from '../../shared/text';

/** The name of the parameter that has the click id. Its characters need no percent-encoding. */
export const clickIdParam = text({
  min: 1,
  max: 50,
  pattern: /^[A-Za-z0-9_.-]+$/,
  except: /^(?:_via|deferred_link)$/,
  patternSays: 'have only letters, digits, "_", "-" and ".", and be neither _via nor deferred_link',
});
