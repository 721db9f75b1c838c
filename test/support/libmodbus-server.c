/* A Modbus server of another author (libmodbus), one client at a time:
 *   tcp PORT SERVICE_US          PORT 0 takes a free one; answers each request after SERVICE_US microseconds
 *   rtu PATH BAUD PARITY STOP UNIT
 * Says `port N` (0 for rtu) once it is ready. Every table has 1,000 addresses from 0; a register holds its address, a bit
 * is set at each third address. Ends with its stdin. */
#include <arpa/inet.h>
#include <errno.h>
#include <modbus.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ADDRESSES 1000

static void *end_with_stdin(void *unused) {
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) { }
    exit(0);
    return unused;
}

static modbus_mapping_t *new_mapping(void) {
    modbus_mapping_t *mapping = modbus_mapping_new(ADDRESSES, ADDRESSES, ADDRESSES, ADDRESSES);
    for (int at = 0; mapping != NULL && at < ADDRESSES; at++) {
        mapping->tab_registers[at] = mapping->tab_input_registers[at] = at;
        mapping->tab_bits[at] = mapping->tab_input_bits[at] = at % 3 == 0;
    }
    return mapping;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, modbus_strerror(errno));
    return 1;
}

/* Until the client leaves. */
static void serve(modbus_t *context, modbus_mapping_t *mapping, long service_us) {
    uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
    struct timespec service = { service_us / 1000000, service_us % 1000000 * 1000 };
    for (;;) {
        int length = modbus_receive(context, query);
        if (length == -1) return;
        if (length == 0) continue;
        if (service_us > 0) nanosleep(&service, NULL);
        if (modbus_reply(context, query, length, mapping) == -1) return;
    }
}

static int serve_tcp(int port, long service_us) {
    modbus_t *context = modbus_new_tcp("127.0.0.1", port);
    modbus_mapping_t *mapping = new_mapping();
    int listener = modbus_tcp_listen(context, 1);
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (listener == -1 || mapping == NULL) return fail("listen");
    getsockname(listener, (struct sockaddr *) &address, &size);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (modbus_tcp_accept(context, &listener) != -1) {
        serve(context, mapping, service_us);
        modbus_close(context);
    }
    return fail("accept");
}

static int serve_rtu(char **argv) {
    modbus_t *context = modbus_new_rtu(argv[0], atoi(argv[1]), argv[2][0], 8, atoi(argv[3]));
    modbus_mapping_t *mapping = new_mapping();
    if (context == NULL || mapping == NULL) return fail("set up");
    modbus_set_slave(context, atoi(argv[4]));
    if (modbus_connect(context) == -1) return fail("open");
    printf("port 0\n");
    fflush(stdout);
    for (;;) {
        serve(context, mapping, 0);
        if (errno == EIO || errno == EBADF) return fail("line");
    }
}

int main(int argc, char **argv) {
    pthread_t watcher;
    pthread_create(&watcher, NULL, end_with_stdin, NULL);
    if (argc == 4 && strcmp(argv[1], "tcp") == 0) return serve_tcp(atoi(argv[2]), atol(argv[3]));
    if (argc == 7 && strcmp(argv[1], "rtu") == 0) return serve_rtu(argv + 2);
    fprintf(stderr, "tcp PORT SERVICE_US | rtu PATH BAUD PARITY STOP UNIT\n");
    return 2;
}
