import { bitly } from './bitly';
import { branch } from './branch';
import { csv } from './csv';
import { dub } from './dub';
import { firebaseDynamicLinks } from './firebase-dynamic-links';
import type { ImportSource } from './import-source';
import { kutt } from './kutt';
import { rebrandly } from './rebrandly';
import { shlink } from './shlink';
import { shortIo } from './short-io';
import { signpost } from './signpost';
import { yourls } from './yourls';

export const importSources: ReadonlyMap<string, ImportSource> = new Map(
  [firebaseDynamicLinks, branch, bitly, dub, shortIo, rebrandly, shlink, kutt, yourls, csv, signpost].map(
    (source): [string, ImportSource] => [source.name, source],
  ),
);
