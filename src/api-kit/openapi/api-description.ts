import { type INestApplication, Injectable } from '@nestjs/common';
import { describeApi } from './document';
import { StaticFile } from './static-file';

/** Holds the API description. The first request builds it, because most processes are never asked for it. */
@Injectable()
export class ApiDescription {
  #describe: () => object = () => ({});
  #file: StaticFile | undefined;

  /** Makes the description of the routes of `app` available. */
  publish(app: INestApplication, apiBaseUrl: URL): void {
    this.#describe = () => describeApi(app, apiBaseUrl);
  }

  get file(): StaticFile {
    this.#file ??= new StaticFile('application/json; charset=utf-8', JSON.stringify(this.#describe()), 'no-cache');
    return this.#file;
  }
}
