import { InvalidInput } from '../../shared/problem';
import type { PgServedPictures } from '../pictures/pg-served-pictures';
import { keptUnusedDays } from '../pictures/picture';
import { readPictureHeader } from '../pictures/picture-header';
import { PictureThread } from '../pictures/picture-thread';
import type { QrLogo } from './qr-logo';

/** Finds logos of QR codes, which are pictures of the project. So no logo is fetched from elsewhere, and none has a script. */
export class QrLogos {
  readonly #thread = new PictureThread();

  constructor(private readonly pictures: PgServedPictures) {}

  /** @throws InvalidInput if the project does not have the picture */
  async get(projectId: string, id: string): Promise<QrLogo> {
    const jpeg = await this.pictures.find(projectId, id);
    if (!jpeg) {
      const message = `logo must be the id of a picture of the project; upload it again, because a picture that no link has is removed after ${keptUnusedDays} days`;
      throw InvalidInput.asAWhole('invalid_format', message, ['logo']);
    }
    const { width, height } = readPictureHeader(jpeg)!;
    return { jpeg, width, height, fit: (side) => this.#thread.fit(jpeg, side) };
  }
}
