import { Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import { type Color, colorOf } from './color';

const hexDigits = text({ pattern: /^[0-9A-Fa-f]{6}$/, patternSays: 'be six hex digits such as 1a2b3c' });

export const color = (fallback: string): Rule<Color> =>
  new Rule<Color>({ ...hexDigits.schema, default: fallback }, (value) => {
    const reading = hexDigits.safeParse(value);
    return 'problems' in reading ? reading : { value: colorOf(reading.value) };
  });
