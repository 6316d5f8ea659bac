import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { appPaths } from '../association-files/app-paths';

export const IsAppPaths = ruleDecorator(appPaths);
