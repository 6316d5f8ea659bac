import { ruleDecorator } from '../kit/rule.decorator';
import { appPaths } from './app-paths';

export const IsAppPaths = ruleDecorator(appPaths);
