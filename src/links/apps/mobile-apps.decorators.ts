import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { appPaths } from './app-paths';

export const IsAppPaths = ruleDecorator(appPaths);
