/** Stands in the build for MUI's `TouchRipple`, which is never rendered: the theme switches ripples off for all buttons. */
const NoRipples = (): null => null;
export default NoRipples;
