import { BlockList } from 'node:net';
import { ipNetwork, networkOf } from '../../shared/ip-network';
import { listOf } from '../../shared/rule';

export const allowedNetworks = listOf(ipNetwork, { minItems: 1, maxItems: 20 });

/** @param networks entries of `allowedNetworks` */
export function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of networks)
    list.addSubnet(one.split('/')[0]!, networkOf(one)!.prefix, one.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}
