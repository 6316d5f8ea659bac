import { bitlyApi } from './bitly-api';
import { dubApi } from './dub-api';
import type { ImportApi } from './import-api';
import { kuttApi } from './kutt-api';
import { rebrandlyApi } from './rebrandly-api';
import { shlinkApi } from './shlink-api';
import { shortIoApi } from './short-io-api';
import { yourlsApi } from './yourls-api';

export const importApis: ReadonlyMap<string, ImportApi> = new Map(
  [bitlyApi, dubApi, shortIoApi, rebrandlyApi, shlinkApi, kuttApi, yourlsApi].map((api): [string, ImportApi] => [
    api.source,
    api,
  ]),
);
