import { ruleDecorator } from '../kit/rule.decorator';
import { appStoreId, bundleId, teamId } from './ios-app';

export const IsBundleId = ruleDecorator(bundleId);
export const IsTeamId = ruleDecorator(teamId);
export const IsAppStoreId = ruleDecorator(appStoreId);
