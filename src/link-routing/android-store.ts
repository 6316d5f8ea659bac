import type { AndroidStore } from '../links/apps/android-identifiers';

/** Silk, and models of Fire tablets such as KFTRWI. Both exist on devices of Amazon only. Fire TV counts as desktop. */
const amazon = /\bSilk\/|; KF[A-Z]{2,6}(?= Build\/|[;)])|\bKindle Fire\b/;

/** Huawei's browser names its services and those of Google, as far as the phone has them. HarmonyOS comes without those of Google. */
const huaweiServices = /\b(?:HMSCore|HarmonyOS)\b/;
const googleServices = /\bGMSCore\b/;

/** Models of Samsung, and its browser where that hides the model, as `K` or as a desktop. */
const samsung =
  /\bSM-[A-Z][0-9]{3}|^Mozilla\/5\.0 \((?:Linux; Android [0-9]{1,2}; K|X11; Linux x86_64)\) .*\bSamsungBrowser\//;

/**
 * Returns the store of the vendor of an Android device. Returns null in doubt, because a store of another vendor has no installer
 * there. Chrome hides models, so it names no vendor.
 */
export function androidStoreOf(userAgent: string): AndroidStore | null {
  if (amazon.test(userAgent)) return 'amazon';
  if (huaweiServices.test(userAgent)) return googleServices.test(userAgent) ? null : 'appgallery';
  return samsung.test(userAgent) ? 'samsung' : null;
}
