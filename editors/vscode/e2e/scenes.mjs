export const SCENES = {};
