import { bitly } from './bitly';
import { branch } from './branch';
import { csv } from './csv';
import { dub } from './dub';
import { firebaseDynamicLinks } from './firebase-dynamic-links';
import type { ImportSource } from './import-source';
import { kutt, rebrandly, shortIo, yourls } from './flat-services';
import { shlink } from './shlink';
import { signpost } from './signpost';

export const importSources: ReadonlyMap<string, ImportSource> = new Map(
  [firebaseDynamicLinks, branch, bitly, dub, shortIo, rebrandly, shlink, kutt, yourls, csv, signpost].map(
    (source): [string, ImportSource] => [source.name, source],
  ),
);
