import { Module } from '@nestjs/common';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { DnsHostAddresses } from './dns-host-addresses';
import { HostAddresses } from './host-addresses';
import { ProbeLimits } from './probe-limits';

/** Provides what probes of hosts need: their addresses, and the limits that all probes of the process share. */
@Module({
  imports: [RateLimitModule],
  providers: [{ provide: HostAddresses, useClass: DnsHostAddresses }, ProbeLimits],
  exports: [HostAddresses, ProbeLimits],
})
export class OutboundModule {}
