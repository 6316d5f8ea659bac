import { type FieldOptions, ruleDecorator } from '../kit/rule.decorator';
import { fingerprints, packageName } from './android-app';

export const IsPackageName = ruleDecorator(packageName);

export const IsFingerprints = ({ minItems, ...options }: FieldOptions & { minItems: number }) =>
  ruleDecorator(fingerprints({ minItems }))(options);
