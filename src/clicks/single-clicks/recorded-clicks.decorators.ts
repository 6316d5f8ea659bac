import { text } from '../../shared/text';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { clickCursor } from './click-position';
import { utcDay } from './click-period';

/** A host is the longest value of a click. */
const clickValue = text({ max: 253 });

export const IsClickValue = ruleDecorator(clickValue);
export const IsClickCursor = ruleDecorator(clickCursor);
export const IsUtcDay = ruleDecorator(utcDay);
