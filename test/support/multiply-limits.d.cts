declare function multiplyLimits(kept?: readonly string[]): void;
export = multiplyLimits;
