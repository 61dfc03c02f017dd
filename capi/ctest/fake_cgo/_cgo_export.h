/* In place of cgo's header, for test_shim.c: the functions of Go that shim.c calls. */
#include <stddef.h>
#include <stdint.h>

int32_t goRpCall(void *method, size_t method_len, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyOpen(void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyUpdate(uint32_t topology, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyDescribe(uint32_t topology, void *out, size_t cap);
int32_t goRpTopologyHello(uint32_t topology, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyError(uint32_t topology, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologySRV(uint32_t topology, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyShutdown(uint32_t topology, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpTopologyEvents(uint32_t topology, void *out, size_t cap);
int32_t goRpTopologyEventsAck(uint32_t topology, uint32_t upto);
int32_t goRpReadprefOpen(void *in, size_t in_len, void *out, size_t cap);
int32_t goRpSelect(uint32_t topology, uint32_t preference, uint32_t flags);
int32_t goRpSelectEx(uint32_t topology, uint32_t preference, uint32_t flags, void *in, size_t in_len);
int32_t goRpSelectBatch(uint32_t topology, uint32_t preference, uint32_t flags, void *ids, uint32_t n);
int32_t goRpExplain(uint32_t topology, uint32_t preference, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpCommand(uint32_t topology, uint32_t preference, uint32_t id, void *in, size_t in_len, void *out, size_t cap);
int32_t goRpAddress(uint32_t topology, uint32_t id, void *out, size_t cap);
int32_t goRpRelease(uint32_t topology, uint32_t id);
uint32_t goRpGeneration(uint32_t topology);
int32_t goRpClose(uint32_t handle);
