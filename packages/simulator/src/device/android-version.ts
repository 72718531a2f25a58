/** What an Android release says about itself. */
export interface AndroidVersion {
  release: string;
  buildId: string;
  securityPatch: string;
  codename: string;
}

const row = (release: string, codename: string, buildId: string, securityPatch: string): AndroidVersion => ({
  release,
  codename,
  buildId,
  securityPatch,
});

/** By API level; build ids and patch levels are those of AOSP tags of that release (source.android.com, "Build numbers"). */
const versions: Record<number, AndroidVersion> = {
  21: row("5.0.2", "Lollipop", "LRX22G", ""),
  22: row("5.1.1", "Lollipop", "LMY49M", "2016-03-01"),
  23: row("6.0.1", "Marshmallow", "M4B30X", "2016-10-05"),
  24: row("7.0", "Nougat", "NBD92G", "2017-08-05"),
  25: row("7.1.2", "Nougat", "NJH47F", "2017-08-05"),
  26: row("8.0.0", "Oreo", "OPR6.170623.023", "2017-12-05"),
  27: row("8.1.0", "Oreo", "OPM7.181205.001", "2018-12-05"),
  28: row("9", "Pie", "PQ3A.190801.002", "2019-08-05"),
  29: row("10", "Quince Tart", "QQ3A.200805.001", "2020-08-05"),
  30: row("11", "Red Velvet Cake", "RQ3A.211001.001", "2021-10-05"),
  31: row("12", "Snow Cone", "SQ1D.220205.004", "2022-02-05"),
  32: row("12", "Sv2", "SQ3A.220705.004", "2022-07-05"),
  33: row("13", "Tiramisu", "TQ3A.230901.001", "2023-09-01"),
  34: row("14", "Upside Down Cake", "AP2A.240905.003", "2024-09-05"),
  35: row("15", "Vanilla Ice Cream", "BP1A.250505.005", "2025-05-05"),
  36: row("16", "Baklava", "BP2A.250705.008", "2025-07-05"),
};

/** The release of an API level, 21 to 36; a level outside throws. */
export function androidVersion(sdkVersion: number): AndroidVersion {
  const version = versions[sdkVersion];
  if (!version) throw new RangeError(`no Android has API level ${sdkVersion}`);
  return version;
}
