/** Stands in the build for the theme of what has none around it, which MUI makes before ours: all that we render has ours. */
export default {};
