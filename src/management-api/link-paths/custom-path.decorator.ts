import { ruleDecorator } from '../kit/rule.decorator';
import { customPath } from './custom-path';

export const IsCustomPath = ruleDecorator(customPath);
