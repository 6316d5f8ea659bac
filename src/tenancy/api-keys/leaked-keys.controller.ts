import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { message, MessageResponse } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { RevokeLeakedKeyBody } from './api-keys.dto';
import { ApiKeysService } from './api-keys.service';

/** Revokes keys that somebody has found, such as a scanner of public repositories. A holder of a key may end it. */
@ApiTags('API keys')
@Controller('api/v1/api-keys')
export class LeakedKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post('revoke-leaked')
  @Operation({
    id: 'revokeLeakedApiKey',
    summary: 'Revoke a leaked API key',
    description:
      'Revokes the key for good. The answer is the same for a text that is no key. It needs no credential, and counts for the rate limit of ' +
      'the address.',
    success: MessageResponse,
  })
  async revoke(@Body() body: RevokeLeakedKeyBody) {
    await this.keys.revokeLeaked(body.key);
    return message('If this is an API key of the service, it is revoked');
  }
}
