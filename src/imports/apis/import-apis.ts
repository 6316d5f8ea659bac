import { bitlyApi } from './bitly-api';
import { dubApi } from './dub-api';
import type { ImportApi } from './import-api';
import { kuttApi } from './kutt-api';
import { rebrandlyApi } from './rebrandly-api';
import { shlinkApi } from './shlink-api';
import { shortIoApi } from './short-io-api';
import { yourlsApi } from './yourls-api';

const all: ImportApi[] = [bitlyApi, dubApi, shortIoApi, rebrandlyApi, shlinkApi, kuttApi, yourlsApi];

export const importApis: ReadonlyMap<string, ImportApi> = new Map(all.map((api) => [api.source, api]));
