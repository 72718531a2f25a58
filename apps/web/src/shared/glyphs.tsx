import type { GlyphProps } from "../components/Icon.tsx";

const draw = (paths: React.ReactNode) =>
  function OwnGlyph({ size = 16, strokeWidth = 1.75 }: GlyphProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {paths}
      </svg>
    );
  };

/** Phone, tablet and foldable are our own, since the common ones look alike when small. */
export const Phone = draw(
  <>
    <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
    <path d="M11 18.5h2" />
  </>,
);
export const Tablet = draw(
  <>
    <rect x="2.5" y="4.5" width="19" height="15" rx="2.5" />
    <path d="M18.5 11v2" />
  </>,
);
export const Foldable = draw(
  <>
    <rect x="4" y="3" width="16" height="18" rx="2.5" />
    <path d="M12 3v4M12 10v4M12 17v4" />
  </>,
);

/** The cloche with its sprout. Below 20 pixels the sprout is dropped. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M6.5 26V13.5a9.5 9.5 0 0 1 19 0V26M3.5 27.75h25"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      {size >= 20 && (
        <>
          <path d="M16 23.5v-5.2" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
          <path
            d="M16 19.4c-4.1 0-6-2.1-6-6 4.1 0 6 2.1 6 6ZM16 16.6c0-3.7 1.8-5.7 5.7-5.7 0 3.9-1.8 5.7-5.7 5.7Z"
            fill="currentColor"
          />
        </>
      )}
    </svg>
  );
}
