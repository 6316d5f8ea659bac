/** A build of an app, with the hosts and paths that it opens. */
export interface AppBuild {
  platform: 'ios' | 'android';
  version: string | null;
  /** Bundle identifier or package name. */
  identifier: string | null;
  hosts: string[];
  /** Null for all paths. */
  paths: string[] | null;
  /** SHA-256 fingerprints of the certificates that sign an `.apk`. Absent for other builds. */
  fingerprints?: string[];
}
