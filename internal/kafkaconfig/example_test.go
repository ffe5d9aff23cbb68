package kafkaconfig_test

import (
	"errors"
	"fmt"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/props"
)

const combined = `process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:9093
log.dirs=/data/1,/data/2
ssl.keystore.pasword=secret
`

func Example() {
	c, err := kafkaconfig.Load([]byte(combined), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.NodeID, c.LogDirs, c.MetadataLogDir)
	fmt.Println(c.EffectiveAdvertisedControllerListeners()[0])
	threads, _ := c.Int("num.io.threads")
	fmt.Println(threads, c.Unknown)

	_, err = kafkaconfig.Load([]byte(combined), []props.Property{{Key: "node.id", Value: "x"}, {Key: "remote.log.reader.threads", Value: "0"}})
	var java *javaerr.Exception
	if errors.As(err, &java) {
		fmt.Println(java)
	}
	// Output:
	// 1 [/data/1 /data/2] /data/1
	// CONTROLLER://localhost:9093
	// 8 [ssl.keystore.pasword]
	// org.apache.kafka.common.config.ConfigException: Invalid value 0 for configuration remote.log.reader.threads: Value must be at least 1
}
