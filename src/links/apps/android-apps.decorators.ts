import { type FieldOptions, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { androidStores, fingerprints, packageName } from './android-app';

export const IsPackageName = ruleDecorator(packageName);

export const IsAndroidStores = ruleDecorator(androidStores);

export const IsFingerprints = ({ minItems, ...options }: FieldOptions & { minItems: number }) =>
  ruleDecorator(fingerprints({ minItems }))(options);
