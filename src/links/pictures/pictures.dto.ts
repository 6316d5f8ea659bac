import { ApiSchema } from '@nestjs/swagger';
import { answer, countAnswer } from '../../api-kit/kit/answer';
import { dataOf } from '../../api-kit/openapi/envelopes';

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
