import { Module } from '@nestjs/common';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { WebhooksModule } from '../../tenancy/webhooks/webhooks.module';
import { EventStream } from './event-stream';
import { EventStreamController, EventStreamLimits } from './event-stream.controller';

@Module({
  imports: [JournalModule, WebhooksModule],
  controllers: [EventStreamController],
  providers: [EventStream, EventStreamLimits],
})
export class LiveFeedModule {}
