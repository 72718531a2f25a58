{{- define "terrarium.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "terrarium.labels" -}}
app.kubernetes.io/name: terrarium
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "terrarium.secret" -}}
{{- .Values.existingSecret | default (include "terrarium.name" .) -}}
{{- end }}

{{- define "terrarium.installation" -}}
{{- .Values.devices.installation | default (.Release.Name | trunc 20 | trimSuffix "-") -}}
{{- end }}

{{- define "terrarium.devicesNamespace" -}}
{{- if has .Values.devices.namespace (list "" .Release.Namespace) }}{{ fail "devices.namespace must be one of its own: gateways may run programs in every Pod there" }}{{ end -}}
{{- .Values.devices.namespace -}}
{{- end }}

{{- /* What every process has. */ -}}
{{- define "terrarium.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ include "terrarium.name" . }} }
  - secretRef: { name: {{ include "terrarium.secret" . }} }
{{- end }}

{{- define "terrarium.mounts" -}}
- { name: data, mountPath: /var/lib/terrarium }
- { name: tmp, mountPath: /tmp }
{{- if .Values.files.claim }}
- { name: files, mountPath: /var/lib/terrarium/files }
{{- end }}
{{- end }}

{{- define "terrarium.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- if .Values.files.claim }}
- { name: files, persistentVolumeClaim: { claimName: {{ .Values.files.claim }} } }
{{- end }}
{{- end }}

{{- define "terrarium.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- /* A new configuration or secret starts the processes anew. */ -}}
{{- define "terrarium.checksum" -}}
checksum/config: {{ printf "%s%s" (include (print .Template.BasePath "/config.yaml") .) (toYaml .Values.secrets) | sha256sum }}
{{- end }}

{{- /* Not all on one node. */ -}}
{{- define "terrarium.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "terrarium.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end }}
