import { ApiSchema } from '@nestjs/swagger';
import { answer, countAnswer, nullableTextAnswer } from '../../api-kit/kit/answer';
import { CreatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { type DestinationUrl, destinationUrl } from '../../shared/destination-url';
import { shapeOf } from '../../shared/field-table';
import { pageFailures } from './page-previews.service';

@ApiSchema({ name: 'Picture' })
export class PictureDto extends answer({
  id: {
    type: 'string',
    description: 'Id of the picture in the project, for `logo` of QR codes. It is the same for the same picture.',
    example: 'qL8R4QIcQ_ZsRqOAbeRfcZhilN_MksRtDaErMA0BAAE',
  },
  url: {
    type: 'string',
    format: 'uri',
    description: 'Address of the stored picture, for `social_image_url` of links of the project.',
    example: 'https://summer.example.com/_pictures/qL8R4QIcQ_ZsRqOAbeRfcZhilN_MksRtDaErMA0BAAE.jpg',
  },
  width: countAnswer('Width in pixels, at most 1200.', 1200),
  height: countAnswer('Height in pixels, at most 1200.', 630),
  bytes: countAnswer('Bytes of the stored JPEG, which count for the quota.', 84_211),
}) {}

export class PictureResponse extends dataOf(PictureDto) {}

@CreatesFields({
  url: {
    rule: destinationUrl,
    required: true,
    description: 'Address of the web page.',
    example: 'https://shop.example.com/sale',
  },
})
export class CreatePictureFromPageBody extends shapeOf<{ url: DestinationUrl }>() {}

@ApiSchema({ name: 'PagePreview' })
export class PagePreviewDto extends answer({
  title: nullableTextAnswer('Title of the page, at most 200 characters.', 'Summer sale'),
  description: nullableTextAnswer('Description of the page, at most 1,000 characters.', 'Everything must go.'),
  picture: {
    type: PictureDto,
    nullable: true,
    description: 'The stored picture of the page. Null if it has none that can be stored.',
  },
  failure: {
    enum: [...pageFailures, null],
    nullable: true,
    description: 'Reason for which the page was not read. Null if it was read.',
    example: null,
  },
}) {}

export class PagePreviewResponse extends dataOf(PagePreviewDto) {}
