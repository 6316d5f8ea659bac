export { createSignpost, type DeferredResult, type Signpost } from './create-signpost.js';
export type { DeferredReason, DeferredStatus } from './first-launch.js';
export type { Params, SignpostLink } from './link.js';
export type {
  AppInfo,
  ClipboardSource,
  FetchFunction,
  FetchResponse,
  LinkSource,
  Platform,
  SignpostOptions,
  SignpostStorage,
} from './options.js';
