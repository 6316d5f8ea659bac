import { createHash } from 'node:crypto';
import { domainError } from '../../shared/domain-error';
import { type LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';

export const maxPictureBytes = 5_000_000;

/** The time for which a picture stays that no link has: as long as a change waits at most, and for links that are restored. */
export const keptUnusedDays = 30;

export interface StoredPicture {
  digest: string;
  width: number;
  height: number;
  bytes: number;
}

/** Pictures of a project, on its link hosts. No link has a path that begins with an underscore. */
const address = /^_pictures\/([A-Za-z0-9_-]{43})\.jpg$/;

export const isPicturePath = (path: string): boolean => path.startsWith('_pictures/');

/** Returns the digest of the picture with this path, without the leading slash; null for other paths. */
export const digestOfPath = (path: string): string | null => address.exec(path)?.[1] ?? null;

/** Returns the last part of the address. It depends on the bytes, so that caches keep a picture for ever. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Returns the URL under the subdomain, because a project answers on it longer than on a custom domain. */
export const pictureUrl = (hosts: LinkHosts, { subdomain }: Project, digest: string): string =>
  `${hosts.originOf({ subdomain, customDomain: null })}/_pictures/${digest}.jpg`;

export class PictureTooLarge extends domainError(
  'PAYLOAD_TOO_LARGE',
  () => 'A picture must not have more than 5 MB; export it with fewer pixels',
) {}
