import { maxFrameLength } from '../../../src/links/qr-codes/qr-layout';
import { initialDesign, type QrDesign } from './qr-design';

const key = 'signpost.qr-design';

/** Returns the design that this browser used last. */
export function storedDesign(storage: Pick<Storage, 'getItem'> = localStorage): QrDesign {
  try {
    const read = JSON.parse(storage.getItem(key) ?? '{}') as Partial<QrDesign>;
    const isKnown = <N extends keyof QrDesign>(name: N): boolean =>
      typeof read[name] === typeof initialDesign[name] || (name === 'logo' && typeof read[name] === 'string');
    const known = Object.entries(read).filter(([name]) => name in initialDesign && isKnown(name as keyof QrDesign));
    const design = { ...initialDesign, ...Object.fromEntries(known) };
    return { ...design, frame: design.frame.slice(0, maxFrameLength) };
  } catch {
    return initialDesign;
  }
}

/** Keeps the design, unless its logo is larger than the browser stores. */
export function storeDesign(design: QrDesign, storage: Pick<Storage, 'setItem'> = localStorage): void {
  try {
    storage.setItem(key, JSON.stringify(design));
  } catch {
    // The page works without it.
  }
}
