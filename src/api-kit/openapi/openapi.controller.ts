import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../kit/route-markers';
import { ApiDescription } from './api-description';

@ApiExcludeController()
@Controller('api/v1/openapi.json')
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Public()
  @Get()
  get(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.description.file.send(request, response);
  }
}
