#!/usr/bin/env bash
# tool.sh VERSION TOOL [ARGS...]: run one tool of a real Apache Kafka release (jars fetched on first use).
# Logging is off unless ORACLE_LOG_LEVEL is set (it then goes to stderr, or to the file ORACLE_LOG_FILE).
set -euo pipefail
v=${1:?usage: tool.sh VERSION TOOL [ARGS...]}
t=${2:?usage: tool.sh VERSION TOOL [ARGS...]}
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libs=$("$here/fetch.sh" "$v")
T=org.apache.kafka.tools
case $v in 3.*|4.0.*) old=1;; *) old=;; esac
case $v in 3.*) old3=1;; *) old3=;; esac
dumplog=$T.DumpLogSegments; [[ $old ]] && dumplog=kafka.tools.DumpLogSegments
configs=kafka.admin.ConfigCommand; [[ -f "$libs/kafka-tools-4.4.0.jar" ]] && configs=$T.ConfigCommand
acls=$T.AclCommand; producer=$T.ConsoleProducer
[[ $old3 ]] && { acls=kafka.admin.AclCommand; producer=kafka.tools.ConsoleProducer; }
case $t in
  server) c=kafka.Kafka;;
  storage) c=kafka.tools.StorageTool;;
  dump-log) c=$dumplog;;
  shell) c=org.apache.kafka.shell.MetadataShell;;
  shellpath) c=;; # prints the class path
  shells) c=Oracle; set -- org.apache.kafka.shell.MetadataShell "$@";; # many in one JVM; ORACLE_CP has java/Oracle.java
  topics) c=$T.TopicCommand;;
  configs) c=$configs;;
  acls) c=$acls;;
  quorum) c=$T.MetadataQuorumCommand;;
  features) c=$T.FeatureCommand;;
  cluster) c=$T.ClusterTool;;
  reassign) c=$T.reassign.ReassignPartitionsCommand;;
  leader-election) c=$T.LeaderElectionCommand;;
  delegation-tokens) c=$T.DelegationTokenCommand;;
  transactions) c=$T.TransactionsCommand;;
  client-metrics) c=$T.ClientMetricsCommand;;
  groups) c=$T.GroupsCommand;;
  consumer-groups) c=$T.consumer.group.ConsumerGroupCommand;;
  share-groups) c=$T.consumer.group.ShareGroupCommand;;
  streams-groups) c=$T.streams.StreamsGroupCommand;;
  get-offsets) c=$T.GetOffsetShell;;
  delete-records) c=$T.DeleteRecordsCommand;;
  log-dirs) c=$T.LogDirsCommand;;
  console-producer) c=$producer;;
  console-consumer) c=$T.consumer.ConsoleConsumer;;
  console-share-consumer) c=$T.consumer.ConsoleShareConsumer;;
  producer-perf) c=$T.ProducerPerformance;;
  verifiable-producer) c=$T.VerifiableProducer;;
  class) c=${1:?class name}; shift;;
  classpath) echo "$libs/*"; exit 0;;
  *) echo "tool.sh: unknown tool $t" >&2; exit 64;;
esac
# The real shell races with its own loading (java/shellwait).
pre=
if [[ $t == shell* ]]; then
  w="$libs/../shellwait-$v-$(cksum <"$here/java/shellwait/MetadataShellState.java" | cut -d' ' -f1).jar"
  if [[ ! -f $w ]]; then
    d=$(mktemp -d)
    javac -nowarn -cp "$libs/*" -d "$d" "$here/java/shellwait/MetadataShellState.java" >&2 && jar cf "$d.jar" -C "$d" org && mv "$d.jar" "$w"
    rm -rf "$d"
  fi
  pre="$w:"
fi
[[ $t == shellpath ]] && { echo "$pre$libs/*"; exit 0; }
out=stderr; [[ ${ORACLE_LOG_FILE:-} ]] && out=file
# One fixed locale, time zone and encoding, so that runs are comparable.
exec java ${ORACLE_JAVA_OPTS:--Xmx256M -XX:+UseSerialGC -XX:TieredStopAtLevel=1} \
  -Duser.language=en -Duser.country=US -Duser.timezone=UTC -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 \
  -Djava.awt.headless=true -Dlog4j2.configurationFile="$here/log4j2.xml" -Dlog4j.configuration="file:$here/log4j1-$out.properties" \
  -Doracle.log.level="${ORACLE_LOG_LEVEL:-off}" -Doracle.log.to="$out" -Doracle.log.file="${ORACLE_LOG_FILE:-oracle.log}" \
  -cp "$pre$libs/*${ORACLE_CP:+:$ORACLE_CP}" "$c" "$@"
