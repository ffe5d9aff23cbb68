package kafkaconfig

import (
	"slices"
	"strconv"
	"strings"
)

const (
	keyOverrides = "max.connections.per.ip.overrides"
	keyPrincipal = "principal.builder.class"
)

// checkMechanism checks the SASL mechanism between brokers.
func (c *Config) checkMechanism() *Error {
	if !strings.HasPrefix(c.interProtocol, "SASL_") {
		return nil
	}
	if !slices.Contains(c.get("sasl.enabled.mechanisms").list, c.text("sasl.mechanism.inter.broker.protocol")) {
		return unmet("", "sasl.mechanism.inter.broker.protocol must be included in sasl.enabled.mechanisms when SASL is used for inter-broker communication")
	}
	return nil
}

// checkQueue checks the memory for waiting requests.
func (c *Config) checkQueue() *Error {
	if n := c.get("queued.max.request.bytes").num; n > 0 && n < c.get("socket.request.max.bytes").num {
		return unmet("", "queued.max.request.bytes must be larger or equal to socket.request.max.bytes")
	}
	return nil
}

// checkConnections checks the limits on connections of an address.
func (c *Config) checkConnections() *Error {
	entries, err := csvMap(keyOverrides, c.text(keyOverrides))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, ok := parseInteger(e.Value, Int); !ok {
			return numberFormat(keyOverrides, e.Value)
		}
	}
	if c.get("max.connections.per.ip").num == 0 && c.text(keyOverrides) == "" {
		return unmet("max.connections.per.ip", "max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides property is set.")
	}
	var invalid []string
	for _, e := range entries {
		if !hostChars(e.Key, true) {
			invalid = append(invalid, e.Key)
		}
	}
	if invalid != nil {
		return illegal(keyOverrides, keyOverrides+" contains invalid addresses : "+strings.Join(invalid, ","))
	}
	return nil
}

// checkIdle checks that a failed authentication can be answered in time.
func (c *Config) checkIdle() *Error {
	delay, idle := c.get("connection.failed.authentication.delay.ms").num, c.get("connections.max.idle.ms").num
	if idle >= 0 && delay >= idle {
		return unmet("", "connection.failed.authentication.delay.ms="+strconv.FormatInt(delay, 10)+" should always be less than connections.max.idle.ms="+strconv.FormatInt(idle, 10)+
			" to prevent failed authentication responses from timing out")
	}
	return nil
}

// checkPrincipal checks that principals can be sent from broker to controller.
func (c *Config) checkPrincipal() *Error {
	if !principalSerde(c.text(keyPrincipal)) {
		return unmet(keyPrincipal, "principal.builder.class must implement KafkaPrincipalSerde")
	}
	return nil
}
