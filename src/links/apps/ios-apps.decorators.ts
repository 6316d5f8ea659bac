import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { bundleId, sentAppStoreId, teamId } from './ios-app';

export const IsBundleId = ruleDecorator(bundleId);
export const IsTeamId = ruleDecorator(teamId);
export const IsAppStoreId = ruleDecorator(sentAppStoreId);
