import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { inTimeOfRequest } from '../../api-kit/kit/long-requests';
import { newId } from '../../shared/id';
import { InvalidInput } from '../../shared/problem';
import type { Plan } from '../../tenancy/accounts/plan';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import type { Project } from '../projects/project';
import { PgPictureRepository } from './pg-picture.repository';
import { digestOf, type StoredPicture } from './picture';
import type { PictureRefusal } from './picture-codec';
import { PictureStore } from './picture-store';
import { PictureThread } from './picture-thread';

/** Pictures that an account, or all accounts, upload to a process at once. Each takes up to 5 MB until it is converted. */
export const maxPictureUploads = { ofAccount: 2, ofProcess: 6 };

const refusals: Record<PictureRefusal, string> = {
  unknown_type: 'The picture must be a PNG, JPEG or WebP',
  animated: 'The picture must not be animated; send a single frame',
  too_many_pixels: 'The picture must not have more than 16 million pixels; make it smaller',
  damaged: 'The picture could not be read; export it again',
};

@Injectable()
export class PicturesService {
  readonly #thread = new PictureThread();
  readonly #uploads = new ConcurrencyLimits(
    maxPictureUploads,
    () => new TooManyAtOnce(5, 'Too many pictures are being uploaded'),
  );

  constructor(
    private readonly pictures: PgPictureRepository,
    private readonly quotas: QuotaGate,
    @Inject(PictureStore) private readonly store: PictureStore | null,
  ) {}

  /**
   * Converts a picture and stores it.
   * @param read returns the uploaded bytes
   * @throws TooManyAtOnce, InvalidInput, PictureStoreUnavailable, QuotaReached, NotFound, and what `read` throws
   */
  upload(project: Project, plan: Plan, read: () => Promise<Buffer>): Promise<StoredPicture> {
    return this.#uploads.run(project.accountId, async () => {
      const converted = await this.#thread.convert(await read());
      if ('refusal' in converted) throw InvalidInput.asAWhole('invalid_format', refusals[converted.refusal]);
      const { width, height } = converted;
      const jpeg = Buffer.from(converted.jpeg);
      const picture = { digest: digestOf(jpeg), width, height, bytes: jpeg.length };
      await this.#store(project, plan, picture.digest, jpeg);
      return picture;
    });
  }

  async #store(project: Project, plan: Plan, digest: string, jpeg: Buffer): Promise<void> {
    if (await inTimeOfRequest(() => this.pictures.renew(project.id, digest))) return;
    const id = newId();
    const { store } = this;
    if (store) {
      await inTimeOfRequest(() => this.pictures.planRemoval(id));
      await store.write(id, jpeg);
    }
    const quota = this.quotas.reservationOf(project.accountId, plan, 'pictureBytes');
    const picture = { id, projectId: project.id, digest, bytes: jpeg.length, content: store ? null : jpeg };
    await inTimeOfRequest(() => this.pictures.insert(picture, quota));
  }
}
