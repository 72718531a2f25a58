/** Every route as clients need it. Generated from the contract by `npm run generate`. */
export const wire = {
  users: {
    login: { method: "POST", path: "/v1/users/login" },
    signout: { method: "POST", path: "/v1/users/signout" },
    acceptTerms: { method: "POST", path: "/v1/users/terms-and-conditions" },
    get: { method: "GET", path: "/v1/users/:uuid" },
    update: { method: "PUT", path: "/v2/users/:uuid" },
    list: { method: "GET", path: "/v2/users" },
  },
  accounts: {
    create: { method: "POST", path: "/v1/users" },
    puzzle: { method: "GET", path: "/v1/users/puzzle" },
    activate: { method: "GET", path: "/v1/users/activate/:key" },
    resendLink: { method: "POST", path: "/v1/users/activate/resend" },
  },
  sessions: {
    list: { method: "GET", path: "/v1/sessions" },
    end: { method: "DELETE", path: "/v1/sessions/:uuid" },
    endOthers: { method: "DELETE", path: "/v1/sessions" },
  },
  passwords: {
    requestLink: { method: "POST", path: "/v1/users/password/request" },
    checkLink: { method: "GET", path: "/v1/users/password/reset/:key" },
    reset: { method: "PUT", path: "/v1/users/password/reset" },
  },
  organizations: {
    get: { method: "GET", path: "/v1/organizations/:uuid" },
  },
  recipes: {
    list: { method: "GET", path: "/v3/recipes" },
    listByKind: { method: "GET", path: "/v1/recipes" },
    get: { method: "GET", path: "/v2/recipes/:uuid" },
    create: { method: "POST", path: "/v1/recipes" },
    edit: { method: "PUT", path: "/v2/recipes/:uuid" },
    delete: { method: "DELETE", path: "/v1/recipes/:uuid" },
    hardwareProfile: { method: "GET", path: "/v1/recipes/:uuid/hardware-profile" },
    osImage: { method: "GET", path: "/v1/recipes/:uuid/os-image" },
    start: { method: "POST", path: "/v1/recipes/:uuid/start-disposable" },
    share: { method: "POST", path: "/v1/recipes/:uuid/share" },
    rollBack: { method: "PUT", path: "/v1/recipes/:uuid/rollback" },
  },
  shares: {
    get: { method: "GET", path: "/v1/shares/:uuid" },
    update: { method: "PUT", path: "/v1/shares/:uuid" },
    delete: { method: "DELETE", path: "/v1/shares/:uuid" },
  },
  hardwareProfiles: {
    list: { method: "GET", path: "/v1/hardware-profiles" },
    get: { method: "GET", path: "/v1/hardware-profiles/:uuid" },
    create: { method: "POST", path: "/v1/hardware-profiles" },
    edit: { method: "PUT", path: "/v1/hardware-profiles/:uuid" },
    delete: { method: "DELETE", path: "/v1/hardware-profiles/:uuid" },
  },
  osImages: {
    list: { method: "GET", path: "/v1/os-images" },
    get: { method: "GET", path: "/v1/os-images/:uuid" },
    duplicate: { method: "POST", path: "/v1/os-images/:uuid/duplicate" },
    edit: { method: "PUT", path: "/v1/os-images/:uuid" },
    delete: { method: "DELETE", path: "/v1/os-images/:uuid" },
  },
  instances: {
    list: { method: "GET", path: "/v2/instances" },
    get: { method: "GET", path: "/v1/instances/:uuid" },
    stop: { method: "POST", path: "/v1/instances/:uuid/stop-disposable" },
    save: { method: "POST", path: "/v1/instances/:uuid/save" },
    dismiss: { method: "POST", path: "/v1/instances/:uuid/dismiss" },
    installApp: { method: "POST", path: "/v1/instances/:uuid/apps", sends: "application/vnd.android.package-archive" },
    accessToken: { method: "POST", path: "/v1/instances/access-token" },
  },
  apiTokens: {
    create: { method: "POST", path: "/v1/api-tokens" },
    list: { method: "GET", path: "/v1/api-tokens" },
    revoke: { method: "DELETE", path: "/v1/api-tokens/:uuid" },
  },
  settings: {
    get: { method: "GET", path: "/v1/settings" },
    openApi: { method: "GET", path: "/openapi.json" },
  },
  mailbox: {
    list: { method: "GET", path: "/v1/mailbox" },
    get: { method: "GET", path: "/v1/mailbox/:uuid" },
  },
} as const;
