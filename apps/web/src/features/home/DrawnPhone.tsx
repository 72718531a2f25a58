import { Box } from "@mui/material";

/** A phone as it looks under glass: drawn, so that nothing has to load. */
export function DrawnPhone() {
  return (
    <Box sx={frame}>
      <svg viewBox="0 0 360 760" width="100%" style={{ display: "block", borderRadius: 28 }}>
        <defs>
          <linearGradient id="home-wallpaper" x1="0" y1="0" x2=".25" y2="1">
            <stop offset="0" stopColor="#EAF3DC" />
            <stop offset=".35" stopColor="#BBD9B8" />
            <stop offset=".7" stopColor="#4C8F75" />
            <stop offset="1" stopColor="#123F33" />
          </linearGradient>
        </defs>
        <rect width="360" height="760" fill="url(#home-wallpaper)" />
        <circle cx="250" cy="170" r="56" fill="#FFFBEA" opacity=".8" />
        <path d="M0 600c70-58 120-26 180-58s112-66 180-42v260H0Z" fill="#2B6B55" opacity=".8" />
        <path d="M0 676c60-34 130-10 190-34s110-30 170-14v132H0Z" fill="#164A3B" />
        <g fill="none" stroke="#fff" opacity=".2" strokeWidth="1.5">
          <path d="M40 760V330a140 140 0 0 1 280 0v430M180 190v570" />
        </g>
        <g fill="#17352B">
          <text x="28" y="34" fontSize="14" fontWeight="600">
            9:41
          </text>
          <text x="28" y="128" fontSize="64" fontWeight="450" letterSpacing="-2.5">
            9:41
          </text>
          <rect x="310" y="22" width="24" height="12" rx="3" />
        </g>
        <circle cx="180" cy="28" r="7" fill="#0A0E0D" />
        {["#F4C95D", "#E9F2EC", "#7FB7E6", "#F2A58E"].map((fill, index) => (
          <rect key={fill} x={33 + index * 82} y="606" width="48" height="48" rx="16" fill={fill} />
        ))}
        <rect x="28" y="676" width="304" height="42" rx="21" fill="#F4F8F5" opacity=".94" />
        <rect x="126" y="738" width="108" height="4" rx="2" fill="#fff" opacity=".85" />
      </svg>
    </Box>
  );
}

const frame = {
  position: "relative",
  width: { xs: 200, md: 284 },
  mb: "-56px",
  p: "7px",
  borderRadius: "36px",
  background: "#0A0E0D",
  boxShadow: "0 0 0 1px #2D3834, 0 14px 40px rgba(10,30,22,.28)",
} as const;
