import type { Response } from 'express';

/** Builds absolute URLs of the management API from its configured origin, because a `Host` header can be forged. */
export class Locations {
  constructor(private readonly apiBaseUrl: URL) {}

  get base(): string {
    return new URL('/api/v1', this.apiBaseUrl).href;
  }

  /** Returns the URL of a page of the management host. */
  page(path: string): string {
    return new URL(path, this.apiBaseUrl).href;
  }

  get isSecure(): boolean {
    return this.apiBaseUrl.protocol === 'https:';
  }

  /** Sets `Location` to a new resource, whose `path` is relative to `/api/v1`. */
  created(response: Response, path: string): void {
    response.setHeader('Location', `${this.base}/${path}`);
  }
}
