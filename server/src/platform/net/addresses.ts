import ipaddr from 'ipaddr.js';
import { Problem } from '../problem.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Control service of Azure hosts. Formally a public address, but reachable from every virtual machine there. */
const CONTROL_SERVICES = [ipaddr.parseCIDR('168.63.129.16/32')];
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** The well-known NAT64 prefix (RFC 6052). Other prefixes are specific to a network. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Parses `SIGHTLINE_ALLOWED_NETWORKS`: CIDR networks or single addresses. Throws `configuration_invalid`. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    try {
      if (text.includes('/')) return ipaddr.parseCIDR(text);
      const address = ipaddr.parse(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    } catch {
      throw new Problem({
        status: 500,
        code: 'configuration_invalid',
        message: `SIGHTLINE_ALLOWED_NETWORKS must be a comma-separated list of networks such as 10.0.0.0/8; "${text}" is not a network.`,
      });
    }
  });
}

/**
 * True if connections to the IP address `text` are allowed: it is public, or in a network that the operator allows. An
 * IPv6 address that embeds an IPv4 one (mapped, translated, NAT64, 6to4) is checked as that, because packets go there.
 */
export function isReachable(text: string, allowed: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const embedded = embeddedIn(address);
  const target = embedded ?? address;
  if ([address, target].some((each) => allowed.some((network) => isWithin(each, network)))) return true;
  if (target.range() !== 'unicast') return false;
  if (CONTROL_SERVICES.some((network) => isWithin(target, network))) return false;
  return target.kind() === 'ipv4' || isWithin(target, GLOBAL_UNICAST);
}

/** The IPv4 address embedded in an IPv6 address; null if there is none. */
function embeddedIn(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4') return null;
  const bytes = address.toByteArray();
  switch ((address as ipaddr.IPv6).range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return new ipaddr.IPv4(bytes.slice(12));
    case 'rfc6052':
      return isWithin(address, NAT64) ? new ipaddr.IPv4(bytes.slice(12)) : null;
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6));
    default:
      return null;
  }
}

const isWithin = (address: Address, [network, bits]: Network) =>
  address.kind() === network.kind() && address.match(network, bits);
