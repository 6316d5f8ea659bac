import { dubApi } from './dub-api';
import type { ImportApi } from './import-api';
import { kuttApi, yourlsApi } from './installed-apis';
import { bitlyApi, rebrandlyApi, shortIoApi } from './part-apis';
import { shlinkApi } from './shlink-api';

const all: ImportApi[] = [bitlyApi, dubApi, shortIoApi, rebrandlyApi, shlinkApi, kuttApi, yourlsApi];

export const importApis: ReadonlyMap<string, ImportApi> = new Map(all.map((api) => [api.source, api]));
