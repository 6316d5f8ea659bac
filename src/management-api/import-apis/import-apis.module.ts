import { Module } from '@nestjs/common';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { Clock } from '../../shared/clock';
import { ImportApiSettings } from './import-api-settings';
import { ImportApiClient } from './import-api-client';

@Module({
  providers: [
    {
      provide: ImportApiClient,
      useFactory: ({ resolvers }: DnsSettings, settings: ImportApiSettings, clock: Clock) =>
        new ImportApiClient(new DnsHostAddresses(resolvers), settings, clock),
      inject: [DnsSettings, ImportApiSettings, Clock],
    },
  ],
  exports: [ImportApiClient],
})
export class ImportApisModule {}
