const ink = "#17352B";
const leaf = "#17624A";

const dock = [
  { colour: "#F4C95D", path: "M-7 4a7 7 0 0 1 14 0Z" },
  { colour: "#E9F2EC", path: "M-6-5h12v10h-12Z" },
  { colour: "#7FB7E6", path: "M0-7 6 5H-6Z" },
  { colour: "#F2A58E", path: "M-6 0a6 6 0 1 0 12 0 6 6 0 1 0-12 0" },
];
const apps = ["M-6-3h12M-6 3h8", "M-5-6v12l10-6Z", "M-6 6 0-6 6 6", "M-6 0h12M0-6v12"];

/** Up to here a screen shows the part below the status bar, so that no shape cuts the time; a taller one shows apps as well. */
const TALL_FROM = 1.5;
const TOP = 60;
/** The taller ones are cut at their sides. */
const MAX_HEIGHT = 1000;

interface Props {
  /** Distinguishes the gradients of several drawings. */
  id: string;
  /** Height by width. */
  ratio: number;
  isRound?: boolean;
}

/** The greenhouse at dawn that our drawings of devices show. */
export function Wallpaper({ id, ratio, isRound = false }: Props) {
  const isTall = ratio >= TALL_FROM;
  const height = isTall ? Math.min(360 * ratio, MAX_HEIGHT) : 360 * Math.max(ratio, 0.3);
  // Drawn for a screen of 360 by 800: the ground stands at the lower edge of any other tall one.
  const lift = isTall ? `translate(0 ${height - 800})` : undefined;
  return (
    <svg
      viewBox={`0 ${isTall ? 0 : TOP} 360 ${height}`}
      preserveAspectRatio="xMidYMin slice"
      width="100%"
      height="100%"
      style={{ display: "block" }}
      fontFamily="Instrument Sans Variable"
    >
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2=".25" y2="1">
          <stop offset="0" stopColor="#F3E3B4" />
          <stop offset=".32" stopColor="#BFD6B6" />
          <stop offset=".68" stopColor="#4E9078" />
          <stop offset="1" stopColor="#123F33" />
        </linearGradient>
      </defs>
      <rect width="360" height={Math.max(height, 800)} fill={`url(#${id})`} />
      <circle cx="262" cy="150" r="86" fill="#FFF6D8" opacity=".55" />
      <circle cx="262" cy="150" r="50" fill="#FFFBEA" opacity=".8" />
      <g transform={lift} fill="none" stroke="#fff" opacity=".22" strokeWidth="1.5">
        <path d="M30 800V330a150 150 0 0 1 300 0v470M80 800V330a100 150 0 0 1 200 0v470M180 180v620M30 430h300M30 560h300" />
      </g>
      <g transform={lift}>
        <path d="M0 640c70-60 120-30 180-62s110-70 180-46v268H0Z" fill="#2B6B55" opacity=".75" />
        <path d="M0 708c60-34 130-10 190-34s110-30 170-16v142H0Z" fill="#164A3B" />
        <path
          d="M58 700c-6-70-46-88-58-132 52 10 74 56 70 132ZM74 702c2-84 50-108 74-160 14 74-18 132-60 160Z"
          fill="#0D3A2D"
        />
        <path d="M300 690c-4-60 22-96 60-112v112ZM292 690c-8-50-40-64-54-96 48 6 70 44 66 96Z" fill="#0F4133" />
      </g>
      <g fill={ink}>
        {isRound ? (
          <text x="180" y="228" fontSize="72" fontWeight="500" textAnchor="middle">
            9:41
          </text>
        ) : (
          <text x="28" y="132" fontSize="64" fontWeight="450" letterSpacing="-2.5">
            9:41
          </text>
        )}
        {isTall && (
          <>
            <text x="30" y="160" fontSize="15" fontWeight="550">
              Saturday, 21 November
            </text>
            <text x="24" y="30" fontSize="14" fontWeight="600">
              9:41
            </text>
            <circle cx="180" cy="24" r="7" fill="#0A0E0D" />
            <path d="M290 29V18l11 11ZM312 19h4v10h-4zM318 17h4v12h-4z" />
            <rect x="328" y="18" width="8" height="12" rx="2" />
          </>
        )}
      </g>
      {isTall && (
        <g transform={lift}>
          <HomeApps />
        </g>
      )}
    </svg>
  );
}

function HomeApps() {
  return (
    <>
      {apps.map((path, column) => (
        <g key={path} transform={`translate(${57 + column * 82} 584)`}>
          <rect x="-26" y="-26" width="52" height="52" rx="18" fill="#F4F8F5" opacity=".94" />
          <path d={path} fill="none" stroke={leaf} strokeWidth="3" strokeLinecap="round" transform="scale(1.3)" />
        </g>
      ))}
      {dock.map(({ colour, path }, column) => (
        <g key={path} transform={`translate(${57 + column * 82} 676)`}>
          <rect x="-26" y="-26" width="52" height="52" rx="18" fill={colour} />
          <path d={path} fill={ink} opacity=".82" transform="scale(1.25)" />
        </g>
      ))}
      <rect x="28" y="724" width="304" height="44" rx="22" fill="#F4F8F5" opacity=".94" />
      <circle cx="52" cy="745" r="6" fill="none" stroke={leaf} strokeWidth="2.5" />
      <path d="m57 750 5 5" stroke={leaf} strokeWidth="2.5" strokeLinecap="round" />
    </>
  );
}
