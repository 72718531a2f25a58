export interface Process {
  pid: number;
  ppid: number;
  uid: number;
  name: string;
  rssKib: number;
  /** Set for an application. */
  packageName?: string;
}

const row = (pid: number, ppid: number, uid: number, name: string, rssKib: number): Process => ({
  pid,
  ppid,
  uid,
  name,
  rssKib,
});

/** What every device runs before any application. */
export const systemProcesses: readonly Process[] = [
  row(1, 0, 0, "init", 9216),
  row(2, 0, 0, "[kthreadd]", 0),
  row(180, 1, 1036, "logd", 5120),
  row(181, 1, 1000, "servicemanager", 4608),
  row(310, 1, 0, "zygote64", 153_600),
  row(330, 1, 1000, "surfaceflinger", 38_912),
  row(415, 1, 2000, "adbd", 8192),
  row(1100, 310, 1000, "system_server", 307_200),
  row(1402, 310, 10_090, "com.android.systemui", 204_800),
];
