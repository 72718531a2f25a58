import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { type Cluster, codeOf } from "./cluster.ts";
import { ADB_PORT, label } from "./pod.ts";

/** What is no part of the internet: other Pods, services, nodes, and the metadata service of a cloud's machines. */
const NOT_INTERNET = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
];
/** Of global addresses; Teredo and 6to4 have an IPv4 address in them. */
const NOT_INTERNET_6 = ["2001::/32", "2002::/16"];
const NAMESPACE = "kubernetes.io/metadata.name";

/** No device reaches another, nor anything in the cluster but the names that it knows; and only gateways reach adb. */
export function policyOf(
  installation: string,
  { home, hasInternet }: { home: string | undefined; hasInternet: boolean },
): V1NetworkPolicy {
  const gateways =
    home === undefined
      ? []
      : [
          {
            namespaceSelector: { matchLabels: { [NAMESPACE]: home } },
            podSelector: { matchLabels: { [label.gateway]: installation } },
          },
        ];
  const names = {
    // The cache of names that each node may have has this address (NodeLocal DNSCache).
    to: [
      { namespaceSelector: { matchLabels: { [NAMESPACE]: "kube-system" } } },
      { ipBlock: { cidr: "169.254.20.10/32" } },
    ],
    ports: ["UDP", "TCP"].map((protocol) => ({ protocol, port: 53 })),
  };
  const internet = [
    { ipBlock: { cidr: "0.0.0.0/0", except: NOT_INTERNET } },
    { ipBlock: { cidr: "2000::/3", except: NOT_INTERNET_6 } },
  ];
  return {
    metadata: { name: `${installation}-devices`, labels: { [label.installation]: installation } },
    spec: {
      podSelector: {
        matchLabels: { [label.installation]: installation },
        matchExpressions: [{ key: label.id, operator: "Exists" }],
      },
      policyTypes: ["Ingress", "Egress"],
      // One from outside comes through the kubelet, which no policy blocks.
      ingress: gateways.length === 0 ? [] : [{ _from: gateways, ports: [{ protocol: "TCP", port: ADB_PORT }] }],
      egress: hasInternet ? [names, { to: internet }] : [],
    },
  };
}

/** Writes it, in place of what an earlier version has written. */
export async function writePolicy({ networking, namespace }: Cluster, body: V1NetworkPolicy): Promise<void> {
  try {
    await networking.createNamespacedNetworkPolicy({ namespace, body });
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    await networking.replaceNamespacedNetworkPolicy({ namespace, name: body.metadata!.name!, body });
  }
}
